import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Config } from '#kernel/config/config.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { KnownPasskey } from './store.ts';

/** Who asks authenticators, and from which pages and apps they may answer. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: readonly string[];
}

export type PartyDeps = Pick<Kernel, 'publicUrl'> & {
  readonly config: Pick<Config, 'PASSKEY_RP_ID' | 'PASSKEY_ORIGINS'>;
};

/** From the settings, else by the service's own address. */
export function relyingPartyOf({ config, publicUrl }: PartyDeps): RelyingParty {
  const own = new URL(publicUrl());
  const more = config.PASSKEY_ORIGINS.split(',').map((origin) => origin.trim());
  return {
    id: config.PASSKEY_RP_ID ?? own.hostname,
    origins: [own.origin, ...more.filter((origin) => origin !== '')],
  };
}

export const PASSKEY_MS = 5 * 60_000;

export const unknownPasskey = () =>
  fail('PASSKEY_UNKNOWN', 'The passkey is not known here, or its answer does not count');

interface Registering {
  readonly challenge: Buffer;
  /** Tells the readers of an authenticator nothing of the user. */
  readonly handle: Buffer;
  readonly username: string;
  readonly known: readonly Pick<KnownPasskey, 'credential_id' | 'transports'>[];
}

/** What an authenticator is asked for a new passkey: discoverable, with the user verified, without attestation. */
export const registrationOptions = (
  party: RelyingParty,
  { challenge, handle, username, known }: Registering,
) =>
  generateRegistrationOptions({
    rpName: 'Archipay',
    rpID: party.id,
    userName: username,
    userID: new Uint8Array(handle),
    challenge: new Uint8Array(challenge),
    timeout: PASSKEY_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/** What an authenticator is asked for a log-in or a proof. */
export const assertionOptions = (
  party: RelyingParty,
  challenge: Buffer,
  known: readonly Pick<KnownPasskey, 'credential_id' | 'transports'>[] = [],
) =>
  generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(challenge),
    timeout: PASSKEY_MS,
    userVerification: 'required',
    allowCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
  });

/** An authenticator's answer, as browsers write it (`toJSON()`). */
export interface PasskeyResponse {
  readonly id: string;
  readonly rawId: string;
  readonly type: string;
  readonly response: Readonly<Record<string, unknown>>;
  readonly clientExtensionResults?: Readonly<Record<string, unknown>>;
  readonly authenticatorAttachment?: string | null;
}

/** The new passkey of an answer; undefined for any other answer. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: Buffer,
  response: PasskeyResponse,
) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { clientExtensionResults: {}, ...response } as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified || !registrationInfo) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      sign_count: credential.counter,
      transports: (credential.transports ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)),
      is_synced: credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

export interface VerifiedAssertion {
  readonly sign_count: number;
  readonly is_synced: boolean;
}

/**
 * Whether a passkey has signed that challenge. The count of signatures is the caller's to compare: the library would
 * refuse it in the same words as a forgery.
 */
export async function verifyAssertion(
  party: RelyingParty,
  challenge: Buffer,
  response: PasskeyResponse,
  { credential_id, public_key }: KnownPasskey,
): Promise<VerifiedAssertion | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        clientExtensionResults: {},
        ...response,
      } as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: [...party.origins],
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: 0 },
    });
    if (!verified) return undefined;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { sign_count: newCounter, is_synced: credentialBackedUp };
  } catch {
    return undefined;
  }
}
