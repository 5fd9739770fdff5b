"""A local server that stands in for other sites in tests of the HTTP client."""

import socket
import threading

import httpcore

PUBLIC = "93.184.216.34"


class LoopbackBackend(httpcore.SyncBackend):
    """Connects to the server of the test instead of any requested host, and records the hosts."""

    def __init__(self, port):
        self.port = port
        self.asked = []

    def connect_tcp(self, host, port, timeout=None, local_address=None, socket_options=None):
        self.asked.append(host)
        return super().connect_tcp("127.0.0.1", self.port, timeout, local_address, socket_options)


class RemoteServer:
    """Answers each connection with the next of `answers`: bytes, or a function that gets the connection."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        for answer in self.answers:
            try:
                connection, _address = self.listener.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(65536).decode("latin-1"))
                try:
                    if callable(answer):
                        answer(connection)
                    else:
                        connection.sendall(answer)
                except OSError:
                    pass  # The client has closed the connection.

    def close(self):
        # Ends `accept()` in the thread.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(timeout=5)


def http_response(body=b"", status="200 OK", headers=""):
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
    return head.encode() + body


def http_redirect(address):
    return http_response(status="302 Found", headers=f"Location: {address}\r\n")
