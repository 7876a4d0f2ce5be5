"""Puts a benchmark's views to a model, one image and one question a request, and logs every reply.

``prompts`` holds what is asked, ``providers`` who is asked, ``runner`` the order, the pace, the retries and the log.
"""
