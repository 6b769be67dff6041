import { chown, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { haproxyFile, NODES, type Node, type Places, patroniFile } from './cluster-files.ts';
import type { Programs } from './packages.ts';
import { outputOf, type Processes, type Running, until } from './processes.ts';

/** Three PostgreSQL under Patroni, one of them leading, behind an address that leads to that one. */
export interface Cluster {
  /** Of the application's database, on the current leader. */
  readonly url: string;
  /** The current leader. */
  leader(): Promise<Node>;
  /** Kills the leader and its Patroni at once; resolves when none of its processes is left. */
  kill(node: Node): Promise<void>;
  /** Restarts a killed node, and waits until the cluster is healthy. */
  rejoin(node: Node): Promise<void>;
}

export interface ClusterOptions {
  readonly folder: string;
  readonly programs: Programs;
  readonly processes: Processes;
  readonly places: Places;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number;
}

const OWNER = 'archipay';

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, programs, processes, places } = options;
  const patronis = new Map<string, Running>();
  await startEtcd(options);
  for (const node of NODES) {
    await mkdir(node.homeIn(folder), { mode: 0o700 });
    await giveToPostgres(node.homeIn(folder));
    await writeFile(node.fileIn(folder), patroniFile(node, options));
    begin(node);
  }
  await until('three nodes stand', () => whole(places), { withinMs: 300_000 });
  await writeFile(join(folder, 'haproxy.cfg'), haproxyFile(places));
  processes.start({
    name: 'haproxy',
    program: programs.haproxy,
    args: ['-db', '-f', join(folder, 'haproxy.cfg')],
  });
  const password = await createDatabase(places);
  const url = `postgres://${OWNER}:${password}@127.0.0.1:${places.proxy}/${OWNER}`;
  await until('the proxy leads to the leader', async () => (await ask(url, 'select 1')) === 1);
  return {
    url,
    leader: () => leaderOf(places),
    async kill(node) {
      const postmaster = await postmasterOf(node, folder);
      // Patroni first, or it would start the other one again.
      await patronis.get(node.name)?.end('SIGKILL');
      process.kill(postmaster, 'SIGKILL');
      await until('its processes are gone', async () => !(await anyIn(node.dataIn(folder))), {
        everyMs: 5,
      });
    },
    async rejoin(node) {
      begin(node);
      await until('three nodes stand again', () => whole(places), { withinMs: 180_000 });
    },
  };

  function begin(node: Node): void {
    const program = programs.patroni;
    const args = [node.fileIn(folder)];
    patronis.set(node.name, processes.start({ name: node.name, program, args, asPostgres: true }));
  }
}

async function startEtcd({ folder, programs, processes, places }: ClusterOptions): Promise<void> {
  const client = `http://127.0.0.1:${places.etcd}`;
  const peer = `http://127.0.0.1:${places.etcdPeer}`;
  processes.start({
    name: 'etcd',
    program: programs.etcd,
    args: [
      ...['--name', 'drill', '--data-dir', join(folder, 'etcd'), '--log-level', 'warn'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `drill=${peer}`],
    ],
  });
  await until('etcd is healthy', async () => (await fetch(`${client}/health`)).ok);
}

const giveToPostgres = async (path: string): Promise<void> => {
  if (process.getuid?.() !== 0) return;
  const ids = await Promise.all(['-u', '-g'].map((flag) => outputOf('id', [flag, 'postgres'])));
  await chown(path, Number(ids[0]), Number(ids[1]));
};

async function members({ rest }: Places): Promise<Member[]> {
  for (const port of Object.values(rest)) {
    const reply = await fetch(`http://127.0.0.1:${port}/cluster`).catch(() => undefined);
    if (reply) return ((await reply.json()) as { members: Member[] }).members;
  }
  throw new Error('No Patroni answers');
}

/** One leads, two follow closely, and one of these confirms each commit before it is acknowledged. */
async function whole(places: Places): Promise<boolean> {
  const all = await members(places);
  const following = all.filter(({ state }) => ['running', 'streaming'].includes(state));
  const count = (...roles: string[]) => following.filter(({ role }) => roles.includes(role)).length;
  const near = all.every(({ lag = 0 }) => lag < 1024 * 1024);
  return near && count('leader') === 1 && count('sync_standby') === 1 && following.length === 3;
}

async function leaderOf(places: Places): Promise<Node> {
  const leader = (await members(places)).find(({ role }) => role === 'leader');
  const node = NODES.find(({ name }) => name === leader?.name);
  if (!node) throw new Error('No node leads');
  return node;
}

async function createDatabase(places: Places): Promise<string> {
  const leader = await leaderOf(places);
  const { superuser, owner } = places.passwords;
  const port = places.postgres[leader.name] ?? 0;
  const url = `postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`;
  await ask(url, `create role ${OWNER} login password '${owner}'`);
  await ask(url, `create database ${OWNER} owner ${OWNER}`);
  return owner;
}

/** The first column of the first row. */
export async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

async function postmasterOf(node: Node, folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(node.dataIn(folder), 'postmaster.pid'), 'utf8'), 10);
}

/** PostgreSQL's processes work in their data folder. */
async function anyIn(data: string): Promise<boolean> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const place = await readlink(`/proc/${entry}/cwd`).catch(() => '');
    if (place === data) return true;
  }
  return false;
}
