import type { AppError, Code } from '#kernel/error.ts';
import { GUIDES } from './error-guide.ts';

/** What the envelope itself needs to know of the request. */
export interface EnvelopeFacts {
  readonly at: string;
  readonly requestId: string;
  /** Where this service is reached, without a slash at the end. */
  publicUrl(): string;
}

/** Where a code is explained. */
const docUrl = (publicUrl: string, code: Code): string => `${publicUrl}/docs/errors/${code}`;

/** What every failure has for its reader, in each envelope. */
const help = ({ code, hint }: AppError, { publicUrl }: EnvelopeFacts) => ({
  hint: hint ?? GUIDES[code].cure,
  doc_url: docUrl(publicUrl(), code),
});

export type EnvelopeName = 'flat' | 'error' | 'coded' | 'status' | 'error_code';

/** The shape of a feature's bodies. Handlers and stores never see it. */
export interface Envelope {
  /** The word for it in the list of endpoints. */
  readonly name: EnvelopeName;
  /** The word for the one that its server faults look like, where they look otherwise. */
  readonly faults?: EnvelopeName;
  /** Adds the constants every success carries; the reply schema decides which of them are sent. */
  success(body: object, envelope: EnvelopeFacts): object;
  error(error: AppError, envelope: EnvelopeFacts): object;
}

/** `{success:false, error:'text', details?}`: log-in, keys, two-factor, rewards, IDR token. */
export const flatEnvelope: Envelope = {
  name: 'flat',
  success: (body) => ({ success: true, ...body }),
  error: (error, facts) => ({
    success: false,
    error: error.message,
    code: error.code,
    details: error.details,
    ...error.extra,
    ...help(error, facts),
    request_id: facts.requestId,
  }),
};

/** `{error:'text', details?}`: clients, admins, verification, most of users, cards. */
export const errorEnvelope: Envelope = {
  name: 'error',
  success: (body) => body,
  error: (error, facts) => ({
    error: error.message,
    code: error.code,
    details: error.details,
    ...error.extra,
    ...help(error, facts),
    request_id: facts.requestId,
  }),
};

/** `{success:false, error:{code, message, details?}, timestamp}`: external log-in, wallets, onchain. */
export const codedEnvelope: Envelope = {
  name: 'coded',
  success: (body, { at }) => ({ success: true, ...body, timestamp: at }),
  error: (error, facts) => ({
    success: false,
    error: {
      code: error.code,
      message: error.message,
      details: error.details,
      ...error.extra,
      ...help(error, facts),
    },
    timestamp: facts.at,
    request_id: facts.requestId,
  }),
};

/** `{status:'FAILED', message, error?}`: bank linking. Successes name their own status. */
export const statusEnvelope: Envelope = {
  name: 'status',
  success: (body) => body,
  error: (error, facts) => ({
    status: 'FAILED',
    message: error.message,
    error: error.details,
    code: error.code,
    ...error.extra,
    ...help(error, facts),
    request_id: facts.requestId,
  }),
};

/** `{success:false, error_code, message, details?, timestamp}`: exchange conversion. */
export const errorCodeEnvelope: Envelope = {
  name: 'error_code',
  success: codedEnvelope.success,
  error: (error, facts) => ({
    success: false,
    error_code: error.code,
    message: error.message,
    details: error.details,
    ...error.extra,
    ...help(error, facts),
    timestamp: facts.at,
    request_id: facts.requestId,
  }),
};

/** An envelope that words some failures as the contract does there; their codes stay. */
export const withWords = (words: Partial<Record<Code, string>>, envelope: Envelope): Envelope => ({
  ...envelope,
  error: (e, facts) =>
    envelope.error({ ...e, name: e.name, message: words[e.code] ?? e.message }, facts),
});

/** An envelope whose server faults take another's shape: bank-link 500s are `{error, details}`. */
export const withFaultsOf = (faults: Envelope, envelope: Envelope): Envelope => ({
  name: envelope.name,
  faults: faults.name,
  success: envelope.success,
  error: (e, facts) => (e.status >= 500 ? faults : envelope).error(e, facts),
});
