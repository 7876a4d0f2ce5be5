"""Questions of another domain's proof in other words, on the same pictures."""
