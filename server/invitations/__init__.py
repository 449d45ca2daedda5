"""What people are invited with: codes, merge files, QR codes, sheets and reminders."""
