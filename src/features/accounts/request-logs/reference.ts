import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const REQUEST_LOG_WORDS: FeatureWords = {
  tags: {
    requestLogs: {
      group: 'Operations',
      text: 'Every request of the last seven days with its status and time: without bodies, query values or secrets.',
    },
  },
  descriptions: {
    'requestLogs.list':
      'Users see their own requests, admins those of their client. A request appears within a second. Under overload lines are left out; `archipay_request_logs_dropped` counts them.',
    'requestLogs.get':
      'The id is the one of the answer’s `x-request-id`, also where the caller chose it. Of several requests with one id it is the last.',
  },
  places: {
    'RequestLog.method': 'POST',
    'RequestLog.error_code': 'INSUFFICIENT_BALANCE',
    'RequestLog.key_prefix': 'ak_demo_',
    'RequestLog.path': '/wallets/fiat',
    'RequestLog.network': '203.0.113.0/24',
    'RequestLogObject.type': 'wallet',
    'RequestLogObject.id': '3',
  },
  origins: [[/^requestLogs\.get\.request_id$/, 'requestLogs.list']],
};
