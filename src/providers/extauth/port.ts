import type { Outcome } from '#kernel/provider-call.ts';

/** The reason for refusing a token. `NOT_CONFIGURED` is our own fault, all others are the caller's. */
export type ExternalRefusal =
  | 'MALFORMED'
  | 'ALGORITHM'
  | 'SIGNATURE'
  | 'UNKNOWN_KEY'
  | 'EXPIRED'
  | 'NOT_YET_VALID'
  | 'ISSUER'
  | 'AUDIENCE'
  | 'NO_SUCH_USER'
  | 'NOT_CONFIGURED'
  | 'REFUSED';

/** A person, as the provider identifies them. */
export interface ExternalIdentity {
  /** The provider's own id of the user. */
  readonly extUserId: string;
  /** Their last proof: `email`, `wallet`, or a social provider's name. */
  readonly authProvider: string;
  /** An address that the provider has proven, in lower case. */
  readonly email: string | null;
  /** Addresses of wallets that the user has proven to hold, as the provider spells them. */
  readonly wallets: readonly string[];
  readonly displayName: string | null;
}

export interface VerifiedToken extends ExternalIdentity {
  /** ISO 8601. */
  readonly issuedAt: string;
  readonly expiresAt: string;
}

export interface ExternalLogin {
  /**
   * Accepts a token only under the provider's own key, for our own app, in time. A look-up completes a token that
   * does not name the user's accounts. Unknown if the keys or the user cannot be fetched at the moment.
   */
  verify(token: string): Promise<Outcome<VerifiedToken>>;
  /** The user's current state at the provider. Refused with NO_SUCH_USER. */
  user(extUserId: string): Promise<Outcome<ExternalIdentity>>;
}
