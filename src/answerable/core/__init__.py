"""Records, ids, codec, folders, seeds, registry and errors: what every other room stands on."""
