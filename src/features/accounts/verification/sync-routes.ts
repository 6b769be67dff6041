import { type Static, Type } from 'typebox';
import { userInScope } from '#kernel/access/tenant-scope.ts';
import { type AppError, fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { IdInput, Nullable, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { IdentityProvider, VerificationType } from '#providers/identity/port.ts';
import type { Decisions } from './decide.ts';
import { refusedAs, requireAnswer } from './provider-answers.ts';
import { UNDECIDED } from './statuses.ts';
import { type ApplicantFacts, readVerification } from './store.ts';

export type SyncDeps = Pick<Kernel, 'config' | 'clock' | 'log'> & {
  readonly identity: IdentityProvider;
  readonly decisions: Decisions;
};

const endpoint = endpoints(errorEnvelope);
const FAULT = 'Failed to sync the verification status';
const NAMES = { KYC: 'eKYC', KYB: 'eKYB' } as const;

const SyncRequest = Type.Object({
  applicantId: text(200),
  user_id: IdInput,
  reviewStatus: text(50),
  reviewAnswer: text(50),
  verification_type: Type.Optional(oneOfWords(['KYC', 'KYB'])),
});

/**
 * It is public (contract: syncIdvStatus), so out of mock mode its body is only a reason to ask the provider. It
 * approves and never rejects: rejections come signed, by the webhook.
 */
export const syncRoute = (deps: SyncDeps): Route =>
  endpoint('POST /ekyc/idv/syncIdvStatus', {
    name: 'verification.syncStatus',
    auth: 'public',
    errors: ['APPLICANT_NOT_FOUND', 'USER_NOT_FOUND', 'PROVIDER_REJECTED', 'PROVIDER_UNAVAILABLE'],
    summary: 'Updates the status of a verification; out of mock mode by asking the provider',
    body: SyncRequest,
    reply: {
      200: Type.Object({
        message: Type.String(),
        current_status: Type.Optional(Type.String()),
        reviewAnswer: Type.Optional(Nullable(Type.String())),
      }),
    },
    fault: FAULT,
    async handler({ body, db }) {
      const { user_id, verification_type: kind = 'KYC' } = body;
      // Before the call, so that a decision of the provider in between is newer.
      const asked = deps.clock.now();
      const { answer, applicant, reviewedAt } = deps.config.MOCK_MODE
        ? reportedAnswer(body)
        : await ask(deps, { user_id, kind, applicantId: body.applicantId });
      const at = decidedAt(reviewedAt, asked);
      if (answer === 'GREEN') {
        const approval = {
          user_id,
          kind,
          status: 'APPROVED',
          source: 'sync',
          at,
          applicant,
        } as const;
        const verdict = await deps.decisions.decide(db, approval);
        if (verdict === 'unknown_user') throw unknownUser();
        if (verdict !== 'superseded')
          return { message: `${NAMES[kind]} status updated to APPROVED` };
      }
      const current = await readVerification(db, user_id, kind);
      if (!current && !(await userInScope(db, {}, user_id))) throw unknownUser();
      return {
        message: `${NAMES[kind]} status not yet APPROVED`,
        current_status: current?.status ?? UNDECIDED[kind],
        reviewAnswer: answer,
      };
    },
  });

interface Answer {
  readonly answer: string | null;
  readonly applicant: ApplicantFacts;
  readonly reviewedAt: string | null;
}

const reportedAnswer = ({ reviewAnswer, applicantId }: Static<typeof SyncRequest>): Answer => ({
  answer: reviewAnswer,
  applicant: { applicantId },
  reviewedAt: null,
});

const SECOND_MS = 1000;

/** A repeated report of an old approval must not undo a later decision. */
function decidedAt(reviewedAt: string | null, asked: Date): Date {
  if (reviewedAt === null) return asked;
  // The provider reports seconds: an earlier decision of the same second came before.
  return new Date(Math.min(Date.parse(reviewedAt) + SECOND_MS - 1, asked.getTime()));
}

interface Question {
  readonly user_id: number;
  readonly kind: VerificationType;
  readonly applicantId: string;
}

/** An applicant of another user, or of the other kind, does not answer this question. */
async function ask(
  { identity, log }: SyncDeps,
  { user_id, kind, applicantId }: Question,
): Promise<Answer> {
  const outcome = await identity.applicant(applicantId);
  if (refusedAs(outcome, 'APPLICANT_NOT_FOUND')) throw noApplicant();
  const applicant = requireAnswer(outcome, log, FAULT);
  if (applicant.externalUserId !== String(user_id) || applicant.type !== kind) throw noApplicant();
  return { answer: applicant.review.answer, applicant, reviewedAt: applicant.reviewedAt };
}

const noApplicant = (): AppError =>
  fail('PROVIDER_REJECTED', 'APPLICANT_NOT_FOUND', {
    extra: { description: 'The identity provider has no such applicant for this user' },
  });
const unknownUser = (): AppError => fail('USER_NOT_FOUND', 'User not found');
