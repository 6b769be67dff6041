import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const SENT = {
  dispute_evidence: 'Shows what happened to a payment that is disputed',
  batch_import: 'Rows of a batch, as CSV, XML or JSON',
  logo: 'The picture of a client on its pages',
};
const PURPOSES = {
  ...SENT,
  statement: 'A statement of a wallet, made by us',
  export: 'Data that was asked for, made by us',
  batch_result: 'What became of the rows of a batch, made by us',
};

/** What the reference says of this feature beside its declarations. */
export const FILES_WORDS: FeatureWords = {
  tags: {
    files: {
      group: 'Operations',
      text: 'Evidence, batches and logos that are sent, and statements, exports and results that are made.',
    },
  },
  descriptions: {
    'files.send':
      'The body is the file itself, with its `content-type`: up to 10 MiB, a batch up to 16 MiB, a logo (png, jpeg or webp) up to 512 KiB. Its first bytes have to be of that type, else 415. The same bytes for the same purpose again are 200 with the first file; an `Idempotency-Key` is not looked at. 200 files a day and user. A file that nothing names goes 30 days after it was last sent.',
    'files.list': 'Users see their own files, admins those of their client.',
    'files.read': 'It is sent as an attachment with `nosniff`, so that no browser shows it.',
    'files.delete': 'Only its owner deletes it; 409 `FILE_IN_USE` while something names it.',
  },
  places: {
    'File.name': 'receipt.pdf',
    'File.content_type': 'application/pdf',
    'File.sha256': '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'File.size': '48211',
  },
  values: {
    'File.purpose': PURPOSES,
    'files.list.purpose': PURPOSES,
    'files.send.purpose': SENT,
  },
  meanings: {
    purpose: 'What the file is for: it decides which types are taken, and how large they may be',
  },
  origins: [[/^files\.\w+\.id$/, 'files.list']],
};
