import type { AppError, Code } from './error.ts';

/** What the envelope itself needs to know of the request. */
export interface EnvelopeFacts {
  readonly at: string;
  readonly requestId: string;
}

/** How one family of endpoints dresses its bodies. Handlers and stores never see this. */
export interface Envelope {
  /** The word for it in the list of endpoints. */
  readonly name: 'flat' | 'error' | 'coded' | 'status' | 'error_code';
  /** Adds the constants every success carries; the reply schema decides which of them are sent. */
  success(body: object, envelope: EnvelopeFacts): object;
  error(error: AppError, envelope: EnvelopeFacts): object;
}

/** `{success:false, error:'text', details?}`: log-in, keys, two-factor, rewards, IDR token. */
export const flatEnvelope: Envelope = {
  name: 'flat',
  success: (body) => ({ success: true, ...body }),
  error: ({ message, code, details, extra }, { requestId }) => ({
    success: false,
    error: message,
    code,
    details,
    ...extra,
    request_id: requestId,
  }),
};

/** `{error:'text', details?}`: clients, admins, verification, most of users, cards. */
export const errorEnvelope: Envelope = {
  name: 'error',
  success: (body) => body,
  error: ({ message, code, details, extra }, { requestId }) => ({
    error: message,
    code,
    details,
    ...extra,
    request_id: requestId,
  }),
};

/** `{success:false, error:{code, message, details?}, timestamp}`: external log-in, wallets, onchain. */
export const codedEnvelope: Envelope = {
  name: 'coded',
  success: (body, { at }) => ({ success: true, ...body, timestamp: at }),
  error: ({ code, message, details, extra }, { at, requestId }) => ({
    success: false,
    error: { code, message, details, ...extra },
    timestamp: at,
    request_id: requestId,
  }),
};

/** `{status:'FAILED', message, error?}`: bank linking. Successes name their own status. */
export const statusEnvelope: Envelope = {
  name: 'status',
  success: (body) => body,
  error: ({ code, message, details, extra }, { requestId }) => ({
    status: 'FAILED',
    message,
    error: details,
    code,
    ...extra,
    request_id: requestId,
  }),
};

/** `{success:false, error_code, message, details?, timestamp}`: exchange conversion. */
export const errorCodeEnvelope: Envelope = {
  name: 'error_code',
  success: codedEnvelope.success,
  error: ({ code, message, details, extra }, { at, requestId }) => ({
    success: false,
    error_code: code,
    message,
    details,
    ...extra,
    timestamp: at,
    request_id: requestId,
  }),
};

/** A family that words some failures as the contract does there; their codes stay. */
export const withWords = (words: Partial<Record<Code, string>>, family: Envelope): Envelope => ({
  ...family,
  error: (e, envelope) =>
    family.error({ ...e, name: e.name, message: words[e.code] ?? e.message }, envelope),
});

/** A family whose server faults take another's shape: bank-link 500s are `{error, details}`. */
export const withFaultsOf = (faults: Envelope, family: Envelope): Envelope => ({
  name: family.name,
  success: family.success,
  error: (e, envelope) => (e.status >= 500 ? faults : family).error(e, envelope),
});
