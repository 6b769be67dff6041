import { createHmac } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  type Applicant,
  LEVELS,
  type Review,
  type VerificationEvent,
  type VerificationType,
} from './port.ts';

const Text = Type.String({ minLength: 1, maxLength: 512 });
const Identifiers = Type.Object({ email: Type.Optional(Text), phone: Type.Optional(Text) });

/** `POST /resources/accessTokens/sdk` and `POST /resources/sdkIntegrations/levels/-/websdkLink`. */
export const AccessRequest = Type.Object({
  userId: Text,
  levelName: Text,
  ttlInSecs: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 * 30 })),
  applicantIdentifiers: Type.Optional(Identifiers),
});
export type AccessRequest = Static<typeof AccessRequest>;
export const AccessToken = Type.Object({ token: Text, userId: Text });
export const HostedLink = Type.Object({ url: Type.String({ pattern: '^https?://' }) });

/** `POST /resources/applicants?levelName=`. */
export const ApplicantRequest = Type.Object({
  externalUserId: Text,
  type: Type.Optional(Type.Enum(['individual', 'company'])),
  email: Type.Optional(Text),
  phone: Type.Optional(Text),
});
export type ApplicantRequest = Static<typeof ApplicantRequest>;

const WireReviewResult = Type.Object({
  reviewAnswer: Type.Optional(Type.Enum(['GREEN', 'RED', 'YELLOW'])),
  rejectLabels: Type.Optional(Type.Array(Type.String())),
  reviewRejectType: Type.Optional(Type.Enum(['RETRY', 'FINAL', 'EXTERNAL'])),
  moderationComment: Type.Optional(Type.String()),
  clientComment: Type.Optional(Type.String()),
});
export type WireReviewResult = Static<typeof WireReviewResult>;

export const WireApplicant = Type.Object({
  id: Text,
  createdAt: Text,
  externalUserId: Text,
  type: Type.Enum(['individual', 'company']),
  email: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  /** The provider's data from the documents. */
  info: Type.Optional(
    Type.Object({
      firstName: Type.Optional(Type.String()),
      lastName: Type.Optional(Type.String()),
      companyInfo: Type.Optional(Type.Object({ companyName: Type.Optional(Type.String()) })),
    }),
  ),
  review: Type.Object({
    levelName: Type.Optional(Type.String()),
    createDate: Type.Optional(Type.String()),
    reviewDate: Type.Optional(Type.String()),
    reviewStatus: Text,
    reviewResult: Type.Optional(WireReviewResult),
  }),
});
export type WireApplicant = Static<typeof WireApplicant>;
/** A search by our own id. */
export const WireApplicants = Type.Object({
  list: Type.Object({ items: Type.Array(WireApplicant), totalItems: Type.Integer() }),
});

export const IdentityWireError = Type.Object({
  description: Type.String(),
  code: Type.Integer(),
  correlationId: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.Integer()),
  errorName: Type.Optional(Type.String()),
});
export type IdentityWireError = Static<typeof IdentityWireError>;

/** The body of a webhook; other fields are ignored. */
export const WireEvent = Type.Object({
  applicantId: Text,
  inspectionId: Type.Optional(Type.String()),
  applicantType: Type.Optional(Type.Enum(['individual', 'company'])),
  correlationId: Type.Optional(Type.String()),
  levelName: Type.Optional(Type.String()),
  sandboxMode: Type.Optional(Type.Boolean()),
  externalUserId: Text,
  type: Text,
  reviewResult: Type.Optional(WireReviewResult),
  reviewStatus: Type.Optional(Type.String()),
  createdAt: Type.Optional(Type.String()),
  createdAtMs: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
});
export type WireEvent = Static<typeof WireEvent>;

/** Lower-case hex HMAC-SHA256 over time, method, path with query, and the body's bytes. */
export function requestSignature(
  secret: string,
  timestamp: string,
  request: { readonly method: string; readonly path: string; readonly body: string | Uint8Array },
): string {
  return createHmac('sha256', secret)
    .update(timestamp + request.method.toUpperCase() + request.path)
    .update(request.body)
    .digest('hex');
}

/** The digest of a webhook's body under that webhook's own secret. */
export const payloadDigest = (
  secret: string,
  body: string | Uint8Array,
  algorithm: 'sha1' | 'sha256' | 'sha512' = 'sha256',
): string => createHmac(algorithm, secret).update(body).digest('hex');

export const WIRE_TYPE = { KYC: 'individual', KYB: 'company' } as const;

/** The level is the best indicator: a person's applicant may have been moved to the company level. */
export function verificationType(
  levelName: string | undefined,
  applicantType: 'individual' | 'company' | undefined,
): VerificationType {
  if (levelName === LEVELS.KYB) return 'KYB';
  if (levelName === LEVELS.KYC) return 'KYC';
  return applicantType === 'company' ? 'KYB' : 'KYC';
}

/** An answer of an open review does not count yet, and YELLOW never does. */
function toReview(status: string, result: WireReviewResult | undefined): Review {
  const final = status === 'completed' ? result : undefined;
  const answer = final?.reviewAnswer;
  const rejectType = final?.reviewRejectType;
  return {
    status,
    answer: answer === 'GREEN' || answer === 'RED' ? answer : null,
    rejectLabels: final?.rejectLabels ?? [],
    rejectType: rejectType === 'RETRY' || rejectType === 'FINAL' ? rejectType : null,
    comment: final?.moderationComment ?? null,
  };
}

export function toApplicant(wire: WireApplicant): Applicant {
  const { id, externalUserId, createdAt, info, review } = wire;
  const levelName = review.levelName ?? '';
  const person = [info?.firstName, info?.lastName].filter(Boolean).join(' ');
  const name = wire.type === 'company' ? info?.companyInfo?.companyName : person;
  return {
    applicantId: id,
    externalUserId,
    type: verificationType(levelName, wire.type),
    levelName,
    name: name || null,
    createdAt: fromWireTime(createdAt) ?? createdAt,
    reviewedAt: fromWireTime(review.reviewDate ?? '') ?? null,
    review: toReview(review.reviewStatus, review.reviewResult),
  };
}

/** `digest` identifies the delivery; `arrived` replaces a time that the provider omitted. */
export function toEvent(wire: WireEvent, digest: string, arrived: Date): VerificationEvent {
  const type = verificationType(wire.levelName, wire.applicantType);
  const status = wire.reviewStatus ?? (wire.type === 'applicantReviewed' ? 'completed' : 'init');
  const occurredAt = fromWireTime(wire.createdAtMs ?? '') ?? fromWireTime(wire.createdAt ?? '');
  return {
    event: wire.type,
    digest,
    applicantId: wire.applicantId,
    externalUserId: wire.externalUserId,
    type,
    levelName: wire.levelName ?? LEVELS[type],
    review: toReview(status, wire.reviewResult),
    occurredAt: occurredAt ?? arrived.toISOString(),
  };
}

/** `2026-11-20 06:30:00`, with or without milliseconds and a zone; always UTC. */
export function fromWireTime(text: string): string | undefined {
  const [, day, time, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?(?:Z|\+00:?00)?$/.exec(text) ?? [];
  if (day === undefined || time === undefined) return undefined;
  const at = new Date(`${day}T${time}${fraction}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** `2026-11-20 06:30:00`, as the provider writes a time. */
export const toWireTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');
/** The same to the millisecond. */
export const toWireTimeMs = (at: Date): string => at.toISOString().slice(0, 23).replace('T', ' ');
