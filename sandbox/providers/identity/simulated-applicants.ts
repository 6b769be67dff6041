import { createHash, randomUUID } from 'node:crypto';
import { LEVELS, type ReviewAnswer, type VerificationType } from '#providers/identity/port.ts';
import {
  payloadDigest,
  toWireTime,
  toWireTimeMs,
  verificationType,
  WIRE_TYPE,
  type WireApplicant,
  type WireEvent,
  type WireReviewResult,
} from '#providers/identity/wire.ts';
import type { World } from '#sandbox/simulator.ts';

export const SIMULATED_IDENTITY_PROVIDER = 'identity';

export interface NewApplicant {
  readonly externalUserId: string;
  readonly type: 'individual' | 'company';
  readonly levelName: string;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

export const isLevel = (name: string): boolean => Object.values<string>(LEVELS).includes(name);
export const levelType = (levelName: string) => WIRE_TYPE[verificationType(levelName, undefined)];

/** Creates the applicant unless there is one of that type for that user; says which it was. */
export async function ensureApplicant(world: World, person: NewApplicant) {
  const now = world.clock.now();
  const id = applicantId(person.externalUserId, person.type);
  const applicant: WireApplicant = {
    id,
    createdAt: toWireTime(now),
    externalUserId: person.externalUserId,
    type: person.type,
    ...(person.email === undefined ? {} : { email: person.email }),
    ...(person.phone === undefined ? {} : { phone: person.phone }),
    review: { levelName: person.levelName, createDate: toWireTime(now), reviewStatus: 'init' },
  };
  const created = await world.records.insert(
    SIMULATED_IDENTITY_PROVIDER,
    'applicant',
    id,
    applicant,
  );
  const stored = await readApplicant(world, id);
  if (stored === undefined) throw new Error('An applicant vanished');
  return { created, applicant: stored };
}

export const readApplicant = (world: World, id: string) =>
  world.records.get<WireApplicant>(SIMULATED_IDENTITY_PROVIDER, 'applicant', id);

/** Every applicant of that user: at most one person and one company. */
export const applicantsOf = (world: World, externalUserId: string) =>
  world.records.list<WireApplicant>(SIMULATED_IDENTITY_PROVIDER, 'applicant', {
    where: { externalUserId },
  });

/** Starts over at another level. */
export const restartReview = (world: World, id: string, levelName: string) =>
  world.records.update<WireApplicant>(
    SIMULATED_IDENTITY_PROVIDER,
    'applicant',
    id,
    (applicant) => ({
      ...applicant,
      review: { levelName, createDate: toWireTime(world.clock.now()), reviewStatus: 'init' },
    }),
  );

export interface Finish {
  readonly externalUserId: string;
  readonly type: VerificationType;
  readonly reviewAnswer: ReviewAnswer;
  /** As the documents say it. */
  readonly name?: string | undefined;
}

/** Completes a review and tells the service; answers whether the service took the call. */
export async function finishReview(world: World, webhookSecret: string, finish: Finish) {
  const { externalUserId, type, reviewAnswer, name } = finish;
  const { applicant: before } = await ensureApplicant(world, {
    externalUserId,
    type: WIRE_TYPE[type],
    levelName: LEVELS[type],
  });
  const now = world.clock.now();
  const reviewResult = RESULTS[reviewAnswer];
  const applicant = await world.records.update<WireApplicant>(
    SIMULATED_IDENTITY_PROVIDER,
    'applicant',
    before.id,
    (found) => ({
      ...found,
      ...(name === undefined ? {} : { info: infoOf(type, name) }),
      review: {
        ...found.review,
        levelName: levelFor(type, found),
        reviewDate: toWireTime(now),
        reviewStatus: 'completed',
        reviewResult,
      },
    }),
  );
  if (applicant === undefined) throw new Error('An applicant vanished');
  const delivered = await deliver(world, webhookSecret, eventOf(applicant, reviewResult, now));
  return { applicant, delivered };
}

/** The applicant's own level, unless it has been moved to one of the other type. */
function levelFor(type: VerificationType, { review: { levelName }, ...applicant }: WireApplicant) {
  const own = levelName !== undefined && verificationType(levelName, applicant.type) === type;
  return own ? levelName : LEVELS[type];
}

const RESULTS: Record<ReviewAnswer, WireReviewResult> = {
  GREEN: { reviewAnswer: 'GREEN' },
  RED: {
    reviewAnswer: 'RED',
    rejectLabels: ['UNSATISFACTORY_PHOTOS'],
    reviewRejectType: 'RETRY',
    moderationComment: 'The photos could not be read. Please take them again.',
    clientComment: 'Rejected in the sandbox.',
  },
};

function infoOf(type: VerificationType, name: string): NonNullable<WireApplicant['info']> {
  if (type === 'KYB') return { companyInfo: { companyName: name } };
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName, ...(rest.length > 0 ? { lastName: rest.join(' ') } : {}) };
}

function eventOf(applicant: WireApplicant, reviewResult: WireReviewResult, now: Date): WireEvent {
  return {
    applicantId: applicant.id,
    inspectionId: idOf('inspection', applicant.id),
    applicantType: applicant.type,
    correlationId: randomUUID().replaceAll('-', ''),
    levelName: applicant.review.levelName ?? '',
    sandboxMode: true,
    externalUserId: applicant.externalUserId,
    type: 'applicantReviewed',
    reviewResult,
    reviewStatus: 'completed',
    createdAt: `${toWireTime(now)}+0000`,
    createdAtMs: toWireTimeMs(now),
    clientId: 'sandbox',
  };
}

function deliver(world: World, webhookSecret: string, event: WireEvent): Promise<boolean> {
  const body = JSON.stringify(event);
  const signed = (secret: string) => ({
    'x-payload-digest': payloadDigest(secret, body),
    'x-payload-digest-alg': 'HMAC_SHA256_HEX',
  });
  return world.callbacks.deliver(SIMULATED_IDENTITY_PROVIDER, {
    url: `${world.serviceUrl()}/ekyc/idv/webhook`,
    headers: { 'content-type': 'application/json', ...signed(webhookSecret) },
    body,
    resign: signed,
  });
}

/** The same for the same person, so that two at once are still one applicant. */
const applicantId = (externalUserId: string, type: 'individual' | 'company'): string =>
  idOf(type, externalUserId);
const idOf = (kind: string, text: string): string =>
  createHash('sha256').update(`${kind}:${text}`).digest('hex').slice(0, 24);
