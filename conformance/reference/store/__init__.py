"""What the API server remembers: objects by resource and key, revisions, and a short history.

Here live the store (``memory``) and the subscriptions that watches read from (``history``).
One revision counter spans all resources, as in etcd; every change is an event in the window
of its resource, and whoever asks for an older one is told that it was compacted.

Nothing here knows HTTP, validation or what a Pod is. Only the API server imports this
package; every other component learns of objects over the socket.
"""
