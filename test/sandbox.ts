import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, createClock } from '#kernel/clock.ts';
import { type Db, openDatabase, run } from '#kernel/db/db.ts';
import { createLog } from '#kernel/log.ts';
import { startSandbox } from '#sandbox/host.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { atEnd } from './at-end.ts';
import { testDatabase } from './database.ts';

/** A call-back as it reached the service. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Buffer;
}

export interface TestSandbox {
  readonly url: string;
  readonly world: World;
  readonly db: Db;
  readonly clock: Clock;
  /** Every call-back so far, oldest first. */
  readonly received: readonly Received[];
  /** The service's answer to further call-backs. */
  answerWith(status: number): void;
  /** Ends it, runs that work while it is down, and starts another one on the same port and database. */
  restart(work: () => Promise<void>, ...simulators: readonly Simulator[]): Promise<void>;
  /** Calls a control: `POST /faults`, with a JSON body. */
  control(id: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** The real sandbox over a database of its own, with a bare listener in place of the service. */
export async function testSandbox(...simulators: readonly Simulator[]): Promise<TestSandbox> {
  const database = await testDatabase();
  const { db, close } = openDatabase(database.url);
  const clock = createClock();
  const service = await listenForCallbacks();
  const start = (port: number, hosted: readonly Simulator[]) =>
    startSandbox({
      db,
      clock,
      log: createLog('silent'),
      host: '127.0.0.1',
      port,
      simulators: hosted,
      serviceUrl: () => service.url,
      advance: async (seconds) => clock.advance(seconds * 1000),
    });
  let sandbox = await start(0, simulators);
  atEnd(async () => {
    await sandbox.close();
    await service.close();
    await close();
    await database.close();
  });
  return {
    url: sandbox.url,
    get world() {
      return sandbox.world;
    },
    db,
    clock,
    received: service.received,
    answerWith: service.answerWith,
    async restart(work, ...fresh) {
      const { port } = new URL(sandbox.url);
      await sandbox.close();
      await work();
      sandbox = await start(Number(port), fresh);
    },
    control: async (id, body) => {
      const [method = '', path = ''] = id.split(' ');
      const reply = await fetch(`${sandbox.url}${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      return { status: reply.status, body: await reply.json() };
    },
  };
}

/** From now on no record of that kind can be added, as if its host died just before; answers a function that undoes it. */
export async function failInserts(db: Db, provider: string, kind: string) {
  const dying = `create function sandbox.die() returns trigger language plpgsql as
    $$ begin raise exception 'the host died here'; end $$`;
  await run(db, dying, []);
  await run(
    db,
    `create trigger dies before insert on sandbox.records for each row
     when (new.provider = '${provider}' and new.kind = '${kind}') execute function sandbox.die()`,
    [],
  );
  return async () => {
    await run(db, 'drop function sandbox.die() cascade', []);
  };
}

async function listenForCallbacks() {
  const received: Received[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({ path: request.url ?? '', headers: request.headers, raw: Buffer.concat(parts) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    received,
    answerWith: (next: number) => {
      status = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
