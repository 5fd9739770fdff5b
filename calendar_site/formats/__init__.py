"""How languages write dates where Django writes them by itself."""
