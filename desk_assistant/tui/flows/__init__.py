"""What happens after a key: each flow asks, acts through the facade, and tells the person what came of it."""
