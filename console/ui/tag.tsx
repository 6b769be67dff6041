import { say } from '../words/say.ts';

const TONES: Readonly<Record<string, 'good' | 'waiting' | 'bad'>> = {
  ACTIVE: 'good',
  APPROVED: 'good',
  BOOKED: 'good',
  RESOLVED: 'good',
  EXPLAINED: 'good',
  SUCCEEDED: 'good',
  PENDING: 'waiting',
  PROPOSED: 'waiting',
  OPEN: 'bad',
  FROZEN: 'bad',
  INACTIVE: 'bad',
  REJECTED: 'bad',
  FAILED: 'bad',
  RETURNED: 'bad',
  DISPUTED: 'bad',
  STOPPED: 'bad',
  OK: 'good',
  PAID: 'good',
  COMPLETED: 'good',
  DELIVERED: 'good',
  PROCESSING: 'waiting',
  PENDING_APPROVAL: 'waiting',
  WAITING: 'waiting',
  PAUSED: 'waiting',
  FAILING: 'bad',
  EXHAUSTED: 'bad',
  DISABLED: 'bad',
  EXPIRED: 'bad',
  SUSPENDED: 'bad',
};

/** A status by its word; the colour adds nothing to it. */
export const Tag = ({ word }: { word: string }) => (
  <span className={`tag ${TONES[word.toUpperCase()] ?? ''}`}>{say(word)}</span>
);
