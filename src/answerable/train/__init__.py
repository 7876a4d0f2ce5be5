"""Trains what can be trained: an adapter on a frozen model, or a small network that gives pictures a style.

``loop`` is the one loop: fixed order, linear decay, checkpoints that resume to the same bits. Only the training split
of a benchmark is ever learned from; what it is tested on stays unseen.
"""
