import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CHAINS, type ChainKey } from '#chains/evm/port.ts';
import { embeddedDir } from '#embedded/embedded.ts';

/** A process that belongs to the service of one folder, started by any of them. */
export interface Seen {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/**
 * All processes of the service whose DATA_DIR is that folder: by their command lines, and PostgreSQL by its working
 * folder.
 */
export function processesOf(folder: string): Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const mine =
      textOf(`/proc/${pid}/environ`).split('\0').includes(`DATA_DIR=${folder}`) ||
      cwdOf(pid).startsWith(`${folder}/`);
    if (!mine) return [];
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    // A zombie has no command line.
    return command === '' ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The server and its backends; empty while it is down. */
export function databaseProcesses(folder: string): number[] {
  const file = textOf(join(embeddedDir(folder), 'cluster', 'postmaster.pid'));
  const postmaster = Number.parseInt(file, 10);
  if (!postmaster) return [];
  const others = processesOf(folder).filter(({ parent }) => parent === postmaster);
  return [postmaster, ...others.map(({ pid }) => pid)];
}

/** The nodes of that chain; there is never more than one. */
export const chainNodes = (folder: string, chain: ChainKey): number[] =>
  processesOf(folder)
    .filter(({ command }) => command.includes(`--chain-id ${CHAINS[chain].chainId} `))
    .map(({ pid }) => pid);

/** Sends the signal to those that still exist. */
export function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
