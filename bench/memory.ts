import { readdirSync, readFileSync } from 'node:fs';

/** Proportional megabytes: pages that processes share count once, in equal parts. */
export interface Memory {
  readonly service: number;
  readonly nodes: number;
  readonly database: number;
}

/** Of a service, the nodes it started and the PostgreSQL over `postgresDir`, if that is its own (Linux only). */
export function memoryOf(servicePid: number, postgresDir?: string): Memory {
  const parents = parentsOfAll();
  const below = (root: number): number[] =>
    [...parents].flatMap(([pid, parent]) => (parent === root ? [pid, ...below(pid)] : []));
  const file = postgresDir === undefined ? '' : textOf(`${postgresDir}/cluster/postmaster.pid`);
  const postmaster = Number.parseInt(file, 10) || 0;
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + megabytes(pid), 0);
  return {
    service: sum([servicePid]),
    nodes: sum(below(servicePid).filter((pid) => pid !== postmaster)),
    database: postmaster === 0 ? 0 : sum([postmaster, ...below(postmaster)]),
  };
}

/** The resident memory of a process, shared pages included. */
export function residentOf(pid: number): number {
  const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
  return Number(resident ?? Number.NaN) / 1024;
}

function parentsOfAll(): Map<number, number> {
  const found = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    found.flatMap((name): [number, number][] => {
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(textOf(`/proc/${name}/status`)) ?? [];
      return parent === undefined ? [] : [[Number(name), Number(parent)]];
    }),
  );
}

function megabytes(pid: number): number {
  const [, shared] = /^Pss:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/smaps_rollup`)) ?? [];
  const [, resident] = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
  return Number(shared ?? resident ?? 0) / 1024;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
