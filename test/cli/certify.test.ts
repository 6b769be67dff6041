import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { gradeOf, type Result, tried } from '#cli/certify/grade.ts';
import { Receiver } from '#cli/certify/receiver.ts';
import { unwrap } from '#sdk/webhooks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Given {
  readonly body: string;
  readonly headers: Record<string, string>;
  /** How often each event was acted on. */
  readonly acted: Map<string, number>;
  act(id: string): void;
}
type Handle = (given: Given) => Promise<number>;

/** As a right one does it. */
const right: Handle = async ({ body, headers, acted, act }) => {
  try {
    const { id } = await unwrap(body, headers, { secrets: SECRET });
    if (!acted.has(id)) act(id);
    return 204;
  } catch {
    return 400;
  }
};

/** Takes what it can read, whoever has signed it. */
const idOf = ({ body }: Given): string => JSON.parse(body).id;
const bodyOf = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

async function certified(handle: Handle) {
  const acted = new Map<string, number>();
  const act = (id: string) => void acted.set(id, (acted.get(id) ?? 0) + 1);
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ count: acted.get(searchParams.get('event') ?? '') ?? 0 }));
      return;
    }
    const headers = request.headers as Record<string, string>;
    const status = await handle({ body: await bodyOf(request), headers, acted, act }).catch(
      () => 500,
    );
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const results: Result[] = await tried(new Receiver(new URL(url), SECRET, url), () => undefined);
  const failed = results.filter(({ passed }) => !passed).map(({ trial }) => trial);
  return { grade: gradeOf(results), failed, trials: results.length };
}

test('a right receiver passes all trials', async () => {
  expect(await certified(right)).toEqual({ grade: 'A', failed: [], trials: 25 });
});

const signed =
  (change: (given: Given) => Given): Handle =>
  (given) =>
    right(change(given));
const withHeaders = (given: Given, headers: Record<string, string>): Given => ({
  ...given,
  headers: { ...given.headers, ...headers },
});
const now = () => String(Math.floor(Date.now() / 1000));

const BROKEN: Readonly<Record<string, readonly [Handle, string, string]>> = {
  'verifies nothing': [
    async (given) => {
      const id = idOf(given);
      if (!given.acted.has(id)) given.act(id);
      return 204;
    },
    'bad signature',
    'F',
  ],
  'acts again on each repetition': [
    async (given) => {
      const { id } = await unwrap(given.body, given.headers, { secrets: SECRET });
      given.act(id);
      return 204;
    },
    'duplicate',
    'F',
  ],
  'looks for repetitions, and works before it notes them': [
    async (given) => {
      const answer = await unwrap(given.body, given.headers, { secrets: SECRET }).catch(
        () => undefined,
      );
      if (!answer) return 400;
      if (given.acted.has(answer.id)) return 204;
      await new Promise((resolve) => setTimeout(resolve, 50));
      given.act(answer.id);
      return 204;
    },
    'duplicate at the same moment',
    'F',
  ],
  'takes a signature of any age': [
    async (given) => {
      const event = await unwrap(given.body, given.headers, { secrets: SECRET, tolerance: 1e9 });
      if (!given.acted.has(event.id)) given.act(event.id);
      return 204;
    },
    'old timestamp',
    'F',
  ],
  'reads the first signature only': [
    signed((given) =>
      withHeaders(given, {
        'webhook-signature': String(given.headers['webhook-signature']).split(' ')[0] ?? '',
      }),
    ),
    'two secrets',
    'C',
  ],
  'verifies the JSON instead of the bytes': [
    signed((given) => ({ ...given, body: JSON.stringify(JSON.parse(given.body)) })),
    'bytes as they came',
    'F',
  ],
  'fails at types that it does not know': [
    async (given) => (given.body.includes('starship') ? 500 : right(given)),
    'unknown type',
    'B',
  ],
  'refuses fields that it does not know': [
    async (given) => (given.body.includes('"added"') ? 422 : right(given)),
    'unknown fields',
    'B',
  ],
  'takes small bodies only': [
    async (given) => (given.body.length > 10_000 ? 413 : right(given)),
    'big body',
    'B',
  ],
  'needs data in each event': [
    async (given) => (given.body.includes('"data"') ? right(given) : 500),
    'thin payload',
    'B',
  ],
  'refuses what comes out of order': [
    async (given) =>
      JSON.parse(given.body).object.version === 1 && JSON.parse(given.body).object.id === '812'
        ? 409
        : right(given),
    'out of order',
    'B',
  ],
  'takes letters for bytes': [
    signed((given) => ({ ...given, body: Buffer.from(given.body, 'latin1').toString('latin1') })),
    'letters of all languages',
    'B',
  ],
  'trusts the time of the event': [
    async (given) =>
      Date.now() - Date.parse(JSON.parse(given.body).timestamp) > 3_600_000 ? 400 : right(given),
    'late by a day',
    'C',
  ],
  'does not look at the id': [
    async (given) =>
      right(
        withHeaders(
          given,
          given.headers['webhook-id'] === 'evt_other'
            ? {
                'webhook-id': idOf(given),
                'webhook-timestamp': String(given.headers['webhook-timestamp'] ?? now()),
              }
            : {},
        ),
      ),
    'another id',
    'F',
  ],
};

test.each(Object.entries(BROKEN))(
  'a receiver that %s is found',
  async (_, [handle, trial, grade]) => {
    const result = await certified(handle);
    expect(result.failed).toContain(trial);
    expect(result.grade).toBe(grade);
  },
);
