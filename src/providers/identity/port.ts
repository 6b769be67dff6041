import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/provider-call.ts';

/** Verification of a person, or of a company. */
export type VerificationType = 'KYC' | 'KYB';
export type ReviewAnswer = 'GREEN' | 'RED';

/** The level of a person and of a company (contract: verification levels). */
export const LEVELS = {
  KYC: 'ekyc-indonesia-standard',
  KYB: 'kyb-level',
} as const satisfies Record<VerificationType, string>;

/** Seconds that an access token or a hosted link lives (contract: limits). */
export const TOKEN_TTL_S = 600;

/**
 * The reason of the provider's refusal, in the contract's words. `UNAUTHORIZED` is about our own credentials
 * and `RATE_LIMITED` about our own rate: neither is the caller's fault.
 */
export type IdentityRefusal =
  | 'INVALID_PARAMS'
  | 'APPLICANT_NOT_FOUND'
  | 'LEVEL_NOT_FOUND'
  | 'TOKEN_EXPIRED'
  | 'UNAUTHORIZED'
  | 'RATE_LIMITED';

export interface Review {
  /** The provider's status: `init`, `pending`, `queued`, `onHold`, `completed`, ... */
  readonly status: string;
  /** Valid only for a completed review; null before that. */
  readonly answer: ReviewAnswer | null;
  readonly rejectLabels: readonly string[];
  readonly rejectType: 'RETRY' | 'FINAL' | null;
  /** The reason of a refusal that the person may see. */
  readonly comment: string | null;
}

export interface Applicant {
  readonly applicantId: string;
  /** Our user id as text. */
  readonly externalUserId: string;
  readonly type: VerificationType;
  readonly levelName: string;
  /** The name in the documents, once they have been read. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** When the review was completed, to the second; null before that. ISO 8601. */
  readonly reviewedAt: string | null;
  readonly review: Review;
}

export interface Person {
  readonly externalUserId: string;
  readonly type: VerificationType;
  readonly email?: string;
  readonly phone?: string;
}

/** A webhook of the provider with a proven signature. */
export interface VerificationEvent {
  /** `applicantReviewed`, `applicantCreated`, `applicantPending`, ... */
  readonly event: string;
  /** The same for every delivery of the same call, so that it counts once. */
  readonly digest: string;
  readonly applicantId: string;
  readonly externalUserId: string;
  readonly type: VerificationType;
  readonly levelName: string;
  readonly review: Review;
  /** The time of the event there, ISO 8601: calls may overtake one another. */
  readonly occurredAt: string;
}

/** A genuine webhook. Only `event` may change anything; `ignored` has no effect. */
export type Webhook =
  | { readonly kind: 'event'; readonly event: VerificationEvent }
  | { readonly kind: 'ignored'; readonly digest: string };

/** Every operation may be repeated after an `unknown`: each has the same result once or twice. */
export interface IdentityProvider {
  /** A token for the provider's SDK, at the level of the type. */
  accessToken(person: Person): Promise<Outcome<{ readonly token: string }>>;
  /** The address of the verification for a person's browser. */
  hostedLink(person: Person): Promise<Outcome<{ readonly url: string }>>;
  /** Creates the applicant, or answers the existing one. */
  createApplicant(person: Person): Promise<Outcome<Applicant>>;
  /** Refused with APPLICANT_NOT_FOUND if this person has none of that type. */
  findApplicant(externalUserId: string, type: VerificationType): Promise<Outcome<Applicant>>;
  /** With the current review. Refused with APPLICANT_NOT_FOUND. */
  applicant(applicantId: string): Promise<Outcome<Applicant>>;
  /** Starts over at another level. Refused with APPLICANT_NOT_FOUND or LEVEL_NOT_FOUND. */
  moveToLevel(applicantId: string, levelName: string): Promise<Outcome<Applicant>>;
  /** Whether a webhook is the provider's, by the signature over its bytes; nothing else counts. */
  isGenuine(raw: Uint8Array, headers: IncomingHttpHeaders): boolean;
  /** Parses a genuine one. */
  readWebhook(raw: Uint8Array): Webhook;
}
