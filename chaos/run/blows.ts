import { setTimeout as pause } from 'node:timers/promises';
import { isRunning } from '#kernel/db/process-file.ts';
import { WORD } from '../checks/money.ts';
import type { Server } from '../clients/client.ts';
import { type Fleet, memberOf } from '../fleet/fleet.ts';
import { chainNodes, databaseProcesses, processesOf, signalAll } from '../fleet/processes.ts';
import type { Blow } from '../plan/plan.ts';

/** Deals a blow, and waits until its victim has recovered if we have to restore it. */
export async function deal(fleet: Fleet, blow: Blow): Promise<void> {
  const { folder, members } = fleet;
  switch (blow.kind) {
    case 'kill-node':
      return memberOf(members, blow.member).restart('SIGKILL', blow.downMs);
    case 'stop-node':
      return memberOf(members, blow.member).restart('SIGTERM', blow.downMs);
    case 'pause-node': {
      const pid = memberOf(members, blow.member).pid();
      return suspend(pid === undefined ? [] : [pid], blow.ms);
    }
    case 'kill-database':
      // The first of them is the postmaster; the others notice by themselves.
      return signalAll(databaseProcesses(folder).slice(0, 1), 'SIGKILL');
    case 'pause-database':
      // First the postmaster, or it would start others in the meantime.
      signalAll(databaseProcesses(folder).slice(0, 1), 'SIGSTOP');
      return suspend(databaseProcesses(folder), blow.ms);
    case 'kill-chain':
      return signalAll(chainNodes(folder, blow.chain), 'SIGKILL');
    case 'pause-chain':
      return suspend(chainNodes(folder, blow.chain), blow.ms);
    case 'silence':
      await memberOf(members, blow.member).settled();
      return fleet.keepSilence(blow.member);
    case 'rollback':
      return control(fleet.sandbox, 'POST', '/cardano/rollback', { blocks: blow.blocks });
    case 'away': {
      const { ledger: provider, ms } = blow;
      await control(fleet.sandbox, 'POST', '/faults', { provider, kind: 'refuse', times: 1000 });
      await pause(ms);
      return control(fleet.sandbox, 'DELETE', `/faults?provider=${provider}`);
    }
    case 'fault':
      return control(fleet.sandbox, 'POST', '/faults', blow.fault);
    case 'clock':
      return control(fleet.sandbox, 'POST', '/clock', { advance_s: blow.seconds });
  }
}

async function suspend(pids: readonly number[], ms: number): Promise<void> {
  signalAll(pids, 'SIGSTOP');
  await pause(ms);
  signalAll(pids, 'SIGCONT');
}

/** Resumes all suspended processes, and waits for every process and their database. */
export async function heal({ folder, members }: Fleet): Promise<void> {
  signalAll(
    processesOf(folder).map(({ pid }) => pid),
    'SIGCONT',
  );
  await Promise.all(members.map((member) => member.settled()));
  const since = performance.now();
  for (;;) {
    const ready = await Promise.all(members.map((member) => member.isReady()));
    // One that has just been killed may have answered for the last time.
    const [postmaster] = databaseProcesses(folder);
    if (ready.every(Boolean) && postmaster !== undefined && isRunning(postmaster)) return;
    if (performance.now() - since > HEAL_MS)
      throw new Error('The service does not get ready again');
    await pause(50);
  }
}

const HEAL_MS = 120_000;

/** The network changes a transaction's status, or in mock mode a caller reports it. */
export const wordOf = (fleet: Fleet, server: Server, isLive: boolean, identifier: string) =>
  isLive
    ? control(fleet.sandbox, 'POST', `/cards/${identifier}/status`, { status: WORD })
    : control(server.api(), 'POST', '/card-checkout/card/callback', {
        transactionIdentifier: identifier,
        status: WORD,
      });

/** An admin's manual request, once, with any answer. */
export const nudge = (server: Server, path: string, apiKey: string, token: string): Promise<void> =>
  control(
    server.api(),
    'POST',
    path,
    {},
    { 'x-api-key': apiKey, authorization: `Bearer ${token}` },
  );

const CONTROL_MS = 5_000;

/** One that fails because no process runs at the moment does not count. */
async function control(
  base: string,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CONTROL_MS),
  }).catch(() => undefined);
}
