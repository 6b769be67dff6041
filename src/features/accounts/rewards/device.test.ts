import { expect, test } from 'vitest';
import { type Harness, harness } from '#test/harness.ts';
import { codeTo } from '#test/mails.ts';

const h = await harness();
const strict = await harness({ config: { REWARDS_LOGIN_CODE: 'required' } });

let serial = 0;
const newPhone = () => {
  serial += 1;
  return `+62855${String(serial).padStart(7, '0')}`;
};
const newDevice = () => `device:${newPhone().slice(1)}`;
const logIn = (phone: string, device_token: string, on = h) =>
  on.call('POST /xusers/login', { body: { phone, device_token } });
const claim = (as: { token: string }, username: string, on = h) =>
  on.call('POST /xprofiles/claim-username', { as, body: { username } });
/** Notifications pushed there after the welcome, newest first. */
async function pushedTo(place: string, on: Harness = h): Promise<string[]> {
  await on.drain();
  const texts = (await on.messages(place)).map(({ text }: { text: string }) => text);
  return texts.filter((text: string) => !text.startsWith('Welcome'));
}

test('a stranger cannot take a known device: its owner still gets the notifications', async () => {
  const [owner, thief, device] = [newPhone(), newPhone(), newDevice()];
  const [, mine] = await logIn(owner, device);
  expect(mine.device_registered).toBe(true);
  const [status, theirs] = await logIn(thief, device);
  expect([status, theirs.device_registered]).toEqual([200, false]);
  await claim(theirs, `thief.${serial}`);
  await claim(mine, `owner.${serial}`);
  expect(await pushedTo(device)).toEqual(['You claimed your username.']);
  expect(await pushedTo(thief)).toEqual(['You claimed your username.']);
  expect((await logIn(owner, device))[1].device_registered).toBe(true);
});

test('a device passes on once its former owner is logged out of it', async () => {
  const [before, after, device] = [newPhone(), newPhone(), newDevice()];
  await logIn(before, device);
  await h.advance(24 * 3600 + 1);
  const [, next] = await logIn(after, device);
  expect(next.device_registered).toBe(true);
  await claim(next, `next.${serial}`);
  expect(await pushedTo(device)).toEqual(['You claimed your username.']);
});

test('so does the device of a deleted or deactivated account', async () => {
  const [gone, off, after] = [newPhone(), newPhone(), newPhone()];
  const devices = [newDevice(), newDevice()] as const;
  const [, as] = await logIn(gone, devices[0]);
  await h.call('DELETE /xaccount/delete', { as });
  await logIn(off, devices[1]);
  await h.db
    .updateTable('userx')
    .set({ userx_status: 'INACTIVE' })
    .where('phonex', '=', off)
    .execute();
  for (const device of devices)
    expect((await logIn(after, device))[1].device_registered).toBe(true);
});

test('where codes prove numbers, the device belongs to the latest proven log-in', async () => {
  const [before, after, device] = [newPhone(), newPhone(), newDevice()];
  const prove = async (phone_number: string) => {
    const body = { phone_number, purpose: 'login' };
    await strict.call('POST /xotp/request', { body });
    const otp_code = await codeTo(strict, phone_number);
    await strict.call('POST /xotp/verify', { body: { ...body, otp_code } });
  };
  await prove(before);
  const [, first] = await logIn(before, device, strict);
  await prove(after);
  const [, second] = await logIn(after, device, strict);
  expect(second.device_registered).toBe(true);
  const [, { notifications }] = await strict.call('GET /xusers/notifications', { as: first });
  expect(notifications[0]).toMatchObject({ title: 'Another account uses your device' });
  await claim(first, 'strict.first', strict);
  await claim(second, 'strict.second', strict);
  expect(await pushedTo(device, strict)).toEqual(['You claimed your username.']);
});

test('of many concurrent claims on a new device one succeeds', async () => {
  const device = newDevice();
  const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(newPhone(), device)));
  expect(answers.map(([status]) => status)).toEqual(Array(12).fill(200));
  expect(answers.filter(([, body]) => body.device_registered)).toHaveLength(1);
});

test('a log-in that names no device keeps the existing one', async () => {
  const [phone, device] = [newPhone(), newDevice()];
  await logIn(phone, device);
  const [, body] = await h.call('POST /xusers/login', { body: { phone } });
  expect(body).not.toHaveProperty('device_registered');
  await claim(body, `kept.${serial}`);
  expect(await pushedTo(device)).toEqual(['You claimed your username.']);
});
