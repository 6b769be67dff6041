import { randomUUID } from 'node:crypto';
import { findLogin, refuseInactive } from '#features/accounts/sign-in/sign-in.ts';
import { type Attempt, accountOf, decide } from '#kernel/access/attempts.ts';
import { requesterMark, requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail } from '#kernel/error.ts';
import {
  countMobileTry,
  findWaitingLogIn,
  insertWaitingLogIn,
  lockMobileCode,
  type MobileCode,
  takeWaitingLogIn,
  useMobileCode,
} from './code-store.ts';
import type { MobileDeps, MobileEntering } from './deps.ts';
import { lockOwner } from './device-store.ts';
import { type DeviceLogIn, enterDevice, useDeviceProof } from './enter.ts';
import { mobileCodeContext } from './request-code.ts';
import type { DeviceInput } from './shapes.ts';

const TRIES_MAX = 5;
const WAITING_MS = 10 * 60_000;
/** Wrong codes that one network may send, over all phones. */
const GUESSED = { failures: 100, withinMs: 15 * 60_000 };

/** The phone is proven, and the second factor is not yet. */
export interface HalfMobileLogIn {
  readonly login_id: string;
  readonly expires_at: string;
}

const askerOf = ({ key, request }: MobileEntering): string =>
  requesterMark(requesterOf({ key }, request));

const wrongCode = () => fail('INVALID_CODE', 'Invalid code');
const lateCode = () => fail('CODE_EXPIRED', 'The code has expired, request another');

interface CodeSent {
  readonly otp_id: string;
  readonly code: string;
  readonly device: DeviceInput;
}

/**
 * Logs in by a code. It belongs to the key and network that asked for it, and counts once. Throws INVALID_CODE, also
 * for an unknown phone, CODE_EXPIRED and DEVICE_LIMIT_REACHED, which uses up nothing.
 */
export function logInByCode(
  deps: MobileDeps,
  db: Db,
  entering: MobileEntering,
  { otp_id, code, device }: CodeSent,
): Promise<DeviceLogIn | HalfMobileLogIn> {
  const { attempts, clock, vault } = deps;
  return decide(db, async (tx): Promise<DeviceLogIn | HalfMobileLogIn | AppError> => {
    const guesses = guessesOf(entering);
    await attempts.admit(tx, ...guesses);
    const sent = await lockMobileCode(tx, otp_id, askerOf(entering));
    const given = vault.fingerprint(code.trim(), mobileCodeContext(otp_id));
    if (sent && isOver(sent, clock.now())) return lateCode();
    if (!sent || sent.user_id === null || !sent.fingerprint?.equals(given)) {
      if (sent) await countMobileTry(tx, otp_id);
      await attempts.recordFailure(tx, ...guesses);
      return wrongCode();
    }
    const { user_id, phone } = sent;
    const owner = await lockOwner(tx, user_id);
    // Another number since the code was sent.
    if (owner?.phone !== phone) return wrongCode();
    await useMobileCode(tx, otp_id);
    await useDeviceProof(tx, entering.proof);
    if (owner.twofa_enabled) return waitForFactor(deps, tx, entering, { user_id, phone, device });
    const login = await requireLogin(deps, tx, user_id, owner.user_status);
    return enterDevice(deps, tx, entering, { login, device });
  });
}

const isOver = ({ expires_at, tries }: MobileCode, now: Date): boolean =>
  tries >= TRIES_MAX || new Date(expires_at) <= now;

const guessesOf = ({ request }: MobileEntering): Attempt[] => [
  { accounts: ['mobile code'], ip: request.ip, allowance: GUESSED },
];

async function requireLogin(
  { clock }: Pick<MobileDeps, 'clock'>,
  tx: Db,
  user_id: number,
  user_status: string,
) {
  const login = await findLogin(tx, user_id, clock.now());
  if (!login) throw wrongCode();
  refuseInactive(login, user_status);
  return login;
}

async function waitForFactor(
  { codes, clock }: MobileDeps,
  tx: Db,
  entering: MobileEntering,
  { user_id, phone, device }: { user_id: number; phone: string; device: DeviceInput },
): Promise<HalfMobileLogIn> {
  const { key, request } = entering;
  await codes.openChallenge(tx, { user_id, key_id: key.key_id, ip: request.ip });
  const login_id = randomUUID();
  const expires_at = new Date(clock.now().getTime() + WAITING_MS);
  const waiting = { login_id, user_id, asker: askerOf(entering), phone, device, expires_at };
  await insertWaitingLogIn(tx, waiting);
  return { login_id, expires_at: expires_at.toISOString() };
}

/**
 * Finishes a log-in by the second factor, with the same key, network and device. Throws INVALID_CODE, CODE_EXPIRED and
 * DEVICE_LIMIT_REACHED, which uses up nothing.
 */
export async function completeMobileLogIn(
  deps: MobileDeps,
  db: Db,
  entering: MobileEntering,
  { login_id, code }: { readonly login_id: string; readonly code: string },
): Promise<DeviceLogIn> {
  const { attempts, clock, codes } = deps;
  const { key, request, proof } = entering;
  const waiting = await findWaitingLogIn(db, login_id, askerOf(entering));
  if (!waiting) throw wrongCode();
  if (new Date(waiting.expires_at) <= clock.now()) throw lateCode();
  const { user_id, phone, device } = waiting;
  return decide(db, async (tx): Promise<DeviceLogIn | AppError> => {
    await attempts.admit(tx, { accounts: [accountOf(user_id)], ip: request.ip });
    const owner = await lockOwner(tx, user_id);
    if (owner?.phone !== phone) return wrongCode();
    const login = await requireLogin(deps, tx, user_id, owner.user_status);
    const attempt = { user_id, key_id: key.key_id, code, consume: true, request };
    const verdict = await codes.verify(tx, attempt);
    if (!verdict.ok) return wrongCode();
    if (!(await takeWaitingLogIn(tx, login_id))) return wrongCode();
    await useDeviceProof(tx, proof);
    return enterDevice(deps, tx, entering, { login, device });
  });
}
