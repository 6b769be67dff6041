import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The paths of the drill's programs on this machine. */
export interface Programs {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly redis: string;
  /** The folder with PostgreSQL's own. */
  readonly postgresql: string;
}

/** System programs are in folders that some users lack in the path. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'];

const find = (name: string): string | undefined =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** The newest PostgreSQL from 15 on, as Debian lays them out. */
const findPostgresql = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin/postgres')
    .map((path) => [Number(path.split('/')[4]), path] as const)
    .filter(([major]) => major >= 15)
    .sort(([a], [b]) => b - a)[0]?.[1]
    .replace(/\/postgres$/, '');

/** Throws an error that names missing programs and their installation. */
export function findPrograms(): Programs {
  const wanted = {
    patroni: ['patroni', find('patroni')],
    etcd: ['etcd-server', find('etcd')],
    haproxy: ['haproxy', find('haproxy')],
    redis: ['redis-server', find('redis-server')],
    postgresql: ['postgresql-15', findPostgresql()],
  } as const;
  const missing = Object.values(wanted).flatMap(([name, path]) => (path ? [] : [name]));
  if (missing.length > 0)
    throw new Error(
      `The drill needs ${missing.join(', ')}. On Debian 12 or later:\n` +
        `  apt-get install ${missing.join(' ')}\n` +
        'Debian starts some of them as services of the system, which the drill does not need:\n' +
        '  systemctl disable --now patroni etcd haproxy redis-server postgresql',
    );
  return Object.fromEntries(
    Object.entries(wanted).map(([name, [, path]]) => [name, path]),
  ) as unknown as Programs;
}
