"""What is where on the table: from camera frames to events, knowing no game."""
