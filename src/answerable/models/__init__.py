"""Models that run in this process: where their files lie, how they are asked, and the adapters put on them.

What trains an adapter and what asks an adapted model both stand on this; neither knows of the other.
"""
