"""The page on which users manage their application passwords."""
