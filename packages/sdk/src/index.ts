export { Archipay } from './archipay.ts';
export type { Answered, ApiPromise, CallOptions } from './call.ts';
export { type ArchipayOptions, Caller } from './caller.ts';
export {
  AbortedError,
  ArchipayError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServiceError,
  TimeoutError,
  ValidationError,
  WebhookSignatureError,
} from './errors.ts';
export { Money, money } from './money.ts';
export type { Ending, RecoverOptions, Store, StoredCall } from './once.ts';
export type { Page, PagePromise } from './page.ts';
export type { Logger } from './send.ts';
export {
  EventStream,
  EventsExpiredError,
  EventsMissingError,
  type StreamOptions,
} from './stream.ts';
export type * from './types.generated.ts';
export { API_VERSION } from './types.generated.ts';
export { sign, unwrap, WebhookHandler } from './webhooks.ts';
