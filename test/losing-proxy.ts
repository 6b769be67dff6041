import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request: its answer comes, or is lost in one of these ways. */
export const LOSSES = ['request', 'answer', 'half', 'wait', 'gateway', 'busy'] as const;
export type Loss = (typeof LOSSES)[number];

/** Moments of a request, of which `at` hears. */
export const MOMENTS = ['arrived', 'forwarded', 'answered', 'half-answered'] as const;
export type Moment = (typeof MOMENTS)[number];

/** What the proxy asks about one of its callers. */
export interface CallerPlan {
  loss(): Loss | undefined;
  at(moment: Moment): void;
}

export interface LosingProxy {
  /** The address of the service for that caller. */
  addressOf(caller: string, plan: CallerPlan): string;
}

/** Stands before a service, which may be another process from one request to the next, and loses what it is told to. */
export async function losingProxy(service: () => string): Promise<LosingProxy & { close(): void }> {
  const plans = new Map<string, CallerPlan>();
  const server = createServer((asked, reply) => {
    const [, caller = '', ...path] = (asked.url ?? '').split('/');
    const plan = plans.get(caller);
    const isChanging = asked.method !== 'GET' && plan !== undefined;
    const broken = () => void reply.destroy();
    pass(asked, reply, {
      url: `${new URL(service()).origin}/${path.join('/')}`,
      plan: isChanging ? plan : undefined,
    }).catch(broken);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    addressOf(caller, plan) {
      plans.set(caller, plan);
      return `http://127.0.0.1:${port}/${caller}/api`;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const BUSY = {
  'x-should-retry': 'true',
  'x-archipay-outcome': 'not-begun',
  'retry-after-ms': '5',
};

async function pass(
  asked: IncomingMessage,
  reply: ServerResponse,
  { url, plan }: { readonly url: string; readonly plan: CallerPlan | undefined },
): Promise<void> {
  const body = await read(asked);
  const loss = plan?.loss();
  plan?.at('arrived');
  if (loss === 'request') return void reply.destroy();
  if (loss === 'busy') return void reply.writeHead(429, BUSY).end('{}');
  const { host: _, connection: __, ...headers } = asked.headers;
  const forwarded = request(url, { method: asked.method ?? 'GET', headers });
  forwarded.end(body);
  const answering = once(forwarded, 'response') as Promise<[IncomingMessage]>;
  plan?.at('forwarded');
  // The caller loses its connection, and the service works on.
  if (loss === 'wait') reply.destroy();
  const [answer] = await answering;
  const text = await read(answer);
  plan?.at('answered');
  if (loss === 'answer' || loss === 'wait') return void reply.destroy();
  if (loss === 'gateway') return void reply.writeHead(502).end('Bad gateway');
  const { 'transfer-encoding': ___, ...heads } = answer.headers;
  reply.writeHead(answer.statusCode ?? 500, { ...heads, 'content-length': text.length });
  reply.write(text.subarray(0, text.length / 2));
  plan?.at('half-answered');
  if (loss === 'half') return void setImmediate(() => reply.destroy());
  reply.end(text.subarray(text.length / 2));
}

async function read(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
