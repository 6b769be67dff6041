import type { MessageWords } from '#features/messaging/messages/messages.ts';
import type { Localised } from '#kernel/localised.ts';

/** What a mail to the owners of an endpoint is about. */
export type EndpointNews = 'first' | 'second' | 'gone' | 'failing' | 'not_public';

interface NamedEndpoint {
  /** Without its query. */
  readonly url: string;
  readonly endpoint_id: string;
}

interface EndpointTexts {
  readonly news: Readonly<Record<EndpointNews, readonly [subject: string, text: string]>>;
  after(endpoint: NamedEndpoint): MessageWords['text'];
}

const en: EndpointTexts = {
  news: {
    first: [
      'Your webhook endpoint has failed for an hour',
      'Every request to this endpoint has failed for an hour. It is probed every half hour.',
    ],
    second: [
      'Your webhook endpoint has failed for a day',
      'Every request to this endpoint has failed for a day. After five days it is disabled.',
    ],
    failing: [
      'Your webhook endpoint was disabled',
      'Every request to this endpoint has failed for five days, so it was disabled.',
    ],
    gone: [
      'Your webhook endpoint was disabled',
      'This endpoint has answered 410 Gone, so it was disabled.',
    ],
    not_public: [
      'Your webhook endpoint was disabled',
      'The address of this endpoint leads to a network that is not public, so it was disabled.',
    ],
  },
  after: ({ url, endpoint_id }) => [
    `Endpoint: ${url}`,
    `Its id: ${endpoint_id}`,
    '',
    'Nothing is lost: it keeps its place in the log of events, and goes on from there once it answers or is resumed, as far back as events are kept.',
  ],
};

const id: EndpointTexts = {
  news: {
    first: [
      'Endpoint webhook Anda gagal selama satu jam',
      'Semua permintaan ke endpoint ini gagal selama satu jam. Endpoint ini dicoba setiap setengah jam.',
    ],
    second: [
      'Endpoint webhook Anda gagal selama satu hari',
      'Semua permintaan ke endpoint ini gagal selama satu hari. Setelah lima hari endpoint ini dinonaktifkan.',
    ],
    failing: [
      'Endpoint webhook Anda dinonaktifkan',
      'Semua permintaan ke endpoint ini gagal selama lima hari, jadi endpoint ini dinonaktifkan.',
    ],
    gone: [
      'Endpoint webhook Anda dinonaktifkan',
      'Endpoint ini menjawab 410 Gone, jadi endpoint ini dinonaktifkan.',
    ],
    not_public: [
      'Endpoint webhook Anda dinonaktifkan',
      'Alamat endpoint ini mengarah ke jaringan yang tidak publik, jadi endpoint ini dinonaktifkan.',
    ],
  },
  after: ({ url, endpoint_id }) => [
    `Alamat endpoint: ${url}`,
    `Nomor endpoint: ${endpoint_id}`,
    '',
    'Tidak ada yang hilang: endpoint ini tetap pada tempatnya di log peristiwa, dan melanjutkan dari sana setelah menjawab atau dilanjutkan, sejauh peristiwa masih disimpan.',
  ],
};

export const ENDPOINT_TEXTS: Localised<EndpointTexts> = { en, id };
