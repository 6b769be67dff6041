import type { FastifyReply } from 'fastify';
import type { Outlet } from '#kernel/http/declare/outlet.ts';
import type { Stream } from '#kernel/http/declare/route.ts';

/** Sends what the stream says as it comes. Nothing in between may gather it first. */
export function beginStream(reply: FastifyReply, stream: Stream): void {
  const { raw } = reply;
  // What others have set on the way here, such as who may read it in a browser.
  const headers = reply.getHeaders();
  reply.hijack();
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  const outlet: Outlet = {
    // Some end with what still waits to be taken, and no listener is called after that.
    write: (text) => void (raw.writableEnded || raw.destroyed || raw.write(text)),
    get waiting() {
      return raw.writableLength;
    },
    onDrained: (heard) => void raw.once('drain', heard),
    // The other side may have gone before it was begun.
    onEnd: (heard) => (raw.closed ? heard() : void raw.once('close', heard)),
    end: () => void raw.end(),
    drop: () => void raw.destroy(),
  };
  stream.begin(outlet);
}
