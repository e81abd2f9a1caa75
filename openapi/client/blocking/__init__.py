# Made by `make client`: change what it is made from instead.
"""One of the two clients, which have the same words: the blocking one is made from the asynchronous one by `make client`."""
