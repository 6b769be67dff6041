import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, inject } from 'vitest';
import { command } from '../command.ts';
import { removeFolder } from '../folders.ts';
import type { Body, Harness } from '../harness.ts';
import { codeOf, type Protected } from '../two-factor.ts';
import { answerOf, type Reply, refused } from './console-answers.ts';

/** The console's files, built for this test file as they are for everybody. */
export async function builtConsole(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `archipay-test-${inject('testRun')}-`));
  afterAll(() => removeFolder(folder));
  const built = await command(['scripts/build-console.ts', '--out', folder], {});
  if (built.code !== 0) throw new Error(built.err);
  return folder;
}

export interface Served {
  readonly url: string;
  /** What was asked for, with its `Idempotency-Key`, where something was changed. */
  readonly changes: { id: string; key: string | undefined; body: Body }[];
  /** From now on dangerous things want a proof again. */
  forgetProof(): void;
  /** From now on nobody is signed in. */
  endSession(): void;
}

const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'",
  "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "require-trusted-types-for 'script'; trusted-types 'none'",
].join('; ');
const COOKIE = 'archipay-console=signed-in';

/**
 * The console over HTTP before a service: its files within their policy, a log-in by cookie for one person, and
 * whatever else is asked goes to the service in that person's name, from its own page alone.
 */
export async function consoleBefore(
  h: Harness,
  folder: string,
  person: Protected,
): Promise<Served> {
  const state = { isOpen: false, isProved: true };
  const changes: Served['changes'] = [];
  const { files } = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
    files: { path: string; type: string }[];
  };
  const page = async (path: string, reply: ServerResponse) => {
    const file = files.find((one) => `/console/${one.path}` === path);
    const { path: name, type } = file ?? { path: 'index.html', type: 'text/html; charset=utf-8' };
    reply.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY });
    reply.end(await readFile(join(folder, name)));
  };
  const session: Readonly<Record<string, (body: Body) => Reply>> = {
    'POST /console/session': ({ usernameoremail, password }) =>
      usernameoremail === person.email && password === person.password
        ? [200, { data: { state: 'second_factor', user_id: person.user_id } }]
        : refused(401, 'INVALID_CREDENTIALS', 'Invalid credentials'),
    'POST /console/session/complete': ({ code }) => {
      if (code !== codeOf(h, person.secret)) return refused(401, 'INVALID_CODE', 'Invalid code');
      Object.assign(state, { isOpen: true, isProved: true });
      return [200, { data: { state: 'signed_in' } }];
    },
    'POST /console/session/prove': ({ password }) => {
      if (password !== person.password) return refused(400, 'INVALID_PASSWORD', 'Invalid password');
      state.isProved = true;
      return [200, { data: {} }];
    },
    'DELETE /console/session': () => {
      state.isOpen = false;
      return [200, { data: {} }];
    },
    'GET /console/me': () => [
      200,
      { data: { user: person, state: 'signed_in', version: '0.1.0' } },
    ],
  };
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const { method = 'GET', headers, url = '' } = request;
    const [path = ''] = url.split('?');
    const id = `${method} ${path.replace('/api', '')}`;
    if (headers['x-console'] !== '1' || headers['sec-fetch-site'] !== 'same-origin')
      return refused(401, 'UNAUTHORIZED', 'Not asked by the console');
    const body = headers['content-type'] ? await json(request) : undefined;
    const isPublic = id.startsWith('POST /console/session') && !id.endsWith('prove');
    if (!isPublic && !(state.isOpen && headers.cookie?.includes(COOKIE)))
      return refused(401, 'UNAUTHORIZED', 'Not signed in');
    const own = session[id];
    if (own) return own(body);
    if (method !== 'GET') changes.push({ id, key: headers['idempotency-key'] as string, body });
    if (method !== 'GET' && !state.isProved)
      return refused(403, 'STEP_UP_REQUIRED', 'A fresh proof is needed');
    return answerOf(h, person, { id, url, body });
  };
  const server = createServer(async (request, reply) => {
    const path = new URL(request.url ?? '', 'http://console').pathname;
    if (path === '/console' || path.startsWith('/console/')) return page(path, reply);
    const [status, body] = await answer(request);
    const signedIn = path === '/api/console/session/complete' && status === 200;
    reply.writeHead(status, {
      'content-type': 'application/json',
      ...(signedIn && { 'set-cookie': `${COOKIE}; Path=/; HttpOnly; SameSite=Strict` }),
    });
    reply.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/console`,
    changes,
    forgetProof: () => {
      state.isProved = false;
    },
    endSession: () => {
      state.isOpen = false;
    },
  };
}
