import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Archipay } from '#sdk/archipay.ts';
import { DEMO, seed } from '#src/app/seed.ts';
import { atEnd } from '../at-end.ts';
import { harness } from '../harness.ts';
import { runFolder } from '../run-folder.ts';
import { bundled, installed, packedSdk } from './packed.ts';
import { RIGHT, WALK } from './walk-anywhere.ts';

const RUNTIMES = 'packages/sdk/runtimes';
const BINARY = 'node_modules/@cloudflare/workerd-linux-64/bin/workerd';
const folder = await runFolder();

/** The runtime of Cloudflare's workers; none where it is not to be had for this machine. */
async function workerd(): Promise<string | undefined> {
  const place = join(folder, 'runtimes');
  await cp(RUNTIMES, place, { recursive: true });
  const run = promisify(execFile);
  return run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: place })
    .then(() => join(place, BINARY))
    .catch((failed) => {
      console.warn(`There is no workerd here: ${failed.stderr}`);
      return undefined;
    });
}
const binary = await workerd();

/** Does the walk when it is asked to, and takes webhooks at `/hook` with the secret that it was given. */
const WORKER = `${WALK}
const heard = [];
let handler;
const handlerOf = (secrets) =>
  new WebhookHandler({ secrets })
    .on('payment.succeeded', (event) => void heard.push(event.object.id))
    .otherwise(() => {});
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/hook') return handler.fetch(request);
    if (pathname === '/heard') return Response.json(heard);
    const given = await request.json();
    if (pathname === '/secret') handler = handlerOf(given.secret);
    return Response.json(pathname === '/walk' ? await walk(given) : {});
  },
};
`;

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["private", "public", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
);
`;

/** Its address. */
async function started(program: string, code: string): Promise<string> {
  const place = join(folder, 'worker');
  await mkdir(place);
  await writeFile(join(place, 'worker.js'), code);
  await writeFile(join(place, 'config.capnp'), CONFIG);
  const child = spawn(program, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: place,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  atEnd(async () => void child.kill('SIGKILL'));
  const said = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  const [line] = await once(said, 'line');
  return `http://127.0.0.1:${JSON.parse(String(line)).port}`;
}

test.skipIf(!binary)(
  'the package does the main job in workerd, and hears the real webhook',
  async () => {
    const h = await harness({ config: { ROLE: 'all' } });
    await seed(h.kernel, h.app.features.afterUser);
    const place = join(folder, 'place');
    await installed((await packedSdk(folder)).file, place);
    const address = await started(binary ?? '', await bundled(place, WORKER));
    const post = async (path: string, body: object) => {
      const reply = await fetch(address + path, { method: 'POST', body: JSON.stringify(body) });
      return reply.json();
    };

    const baseUrl = h.kernel.publicUrl();
    const application = new Archipay({ baseUrl, apiKey: DEMO.apiKey });
    const { email, password } = DEMO.admin;
    const { data } = await application.auth.logIn({ usernameoremail: email, password });
    const admin = application.as('token' in data ? data.token : '');
    const made = await admin.webhookEndpoints.create({
      url: `${address}/hook`,
      types: ['payment.succeeded'],
    });
    await post('/secret', { secret: made.data.secret });

    const user = { usernameoremail: DEMO.user.email, password: DEMO.user.password };
    const answer = await post('/walk', {
      baseUrl,
      apiKey: DEMO.apiKey,
      ...user,
      key: 'in-workerd',
    });
    expect(answer).toEqual({ isPage: false, ...RIGHT });
    const heard = async () => (await fetch(`${address}/heard`)).json();
    await expect.poll(heard).toEqual([expect.stringMatching(/^TOPUP-/)]);
  },
);
