import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newSecret, signed } from './signature.ts';

test('a signature is of the moment of its try, by the machine’s time', () => {
  const secret = newSecret();
  const secrets = [{ secret, not_after: null }];
  const moved = new Date(Date.now() + 30 * 86_400_000);
  expect(new Webhook(secret).verify('{}', signed('evt_1', '{}', secrets, moved))).toEqual({});
  const now = vi.spyOn(Date, 'now');
  onTestFinished(() => now.mockRestore());
  const sentAt = (ms: number) => {
    now.mockReturnValue(ms);
    return signed('evt_1', '{}', secrets, moved)['webhook-timestamp'];
  };
  // An old signature cannot be sent again by somebody else.
  expect([sentAt(1_000_000), sentAt(1_010_000)]).toEqual(['1000', '1010']);
});
