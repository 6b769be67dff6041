import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DEMO } from '#src/app/seed.ts';
import type { Place } from './place.ts';
import { type BenchRow, reported } from './row.ts';
import { type Started, startService } from './service-process.ts';
import { NO_NODES } from './start.ts';

/** As many as one user may have in a quarter of an hour. */
const TURNS = 100;

/**
 * The cost of a turn with the agent without its model: the same request to the endpoint itself, and to the agent with a
 * model that answers at once.
 */
export async function runAgentBench({ url, dir }: Place): Promise<BenchRow[]> {
  const model = await quickModel();
  const service = await startService({
    ...NO_NODES,
    DATABASE_URL: url,
    DATA_DIR: join(dir, 'agent'),
    RATE_LIMITS: 'off',
    LLM_URL: model.url,
  });
  try {
    const { user_id, call } = await caller(service);
    const direct = () => call('GET', `/transactions/${user_id}/history?limit=10`);
    const talk = () =>
      call('POST', '/agent/wallets/process', { user_id, user_input: 'Show my history' });
    const first = await timed(talk);
    await direct();
    const turns: number[] = [];
    const directTimes: number[] = [];
    // In turns, so that both have the same machine.
    for (let turn = 0; turn < TURNS; turn += 1) {
      directTimes.push(await timed(direct));
      turns.push(await timed(talk));
    }
    const row = (what: string, measured: number) =>
      reported({ bar: '', what, measured, unit: 'ms', note: `p50 of ${TURNS}` });
    return [
      row(
        'a turn with the agent beside its model, above the endpoint',
        p50(turns) - p50(directTimes),
      ),
      row('the endpoint itself', p50(directTimes)),
      reported({
        bar: '',
        what: 'the first turn, which loads the SDK',
        measured: first,
        unit: 'ms',
      }),
    ];
  } finally {
    await service.stop();
    model.close();
  }
}

const p50 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A server with OpenAI's chat API that has its answer ready. */
async function quickModel() {
  const content = JSON.stringify({ intent: 'history', language: 'en' });
  const answer = JSON.stringify({
    id: 'one',
    object: 'chat.completion',
    created: 0,
    model: 'quick',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/v1`, close };
}

async function caller({ apiUrl }: Started) {
  const headers: Record<string, string> = { 'x-api-key': DEMO.apiKey };
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await reply.json()) as { data: { token: string; user: { user_id: number } } };
    if (!reply.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { email: usernameoremail, password } = DEMO.user;
  const { data } = await call('POST', '/auth/login', { usernameoremail, password });
  headers['authorization'] = `Bearer ${data.token}`;
  return { user_id: data.user.user_id, call };
}
