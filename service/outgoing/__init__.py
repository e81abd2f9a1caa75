"""What the service sends to addresses that users name, such as webhooks and push services: by HTTP, to checked addresses only."""
