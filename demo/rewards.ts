import { mustEqual, type Service } from './service.ts';

/** A member of the rewards app collects points; each action pays once. */
export async function rewards(service: Service, run: string): Promise<void> {
  service.part('The rewards app');
  const phone = `+1${String(Date.now()).slice(-10)}`;
  const welcome = await service.call('POST /xusers/login', {
    body: { phone },
    describe: (answer) => `${answer.number('user.point_balance')} welcome points`,
  });
  const as = { token: welcome.text('token') };
  const points = (answer: { number(path: string): number }) =>
    `+${answer.number('points_awarded')}`;

  const claim = { as, body: { username: `member-${run}` }, describe: points };
  await service.call('POST /xprofiles/claim-username', claim);
  const again = await service.call('POST /xprofiles/claim-username', claim);
  mustEqual('points for the second claim', again.number('points_awarded'), 0);

  const email = `member-${run}@demo.test`;
  await service.call('POST /xmail/verify-email', { as, body: { email } });
  const otp_code = await service.message(email, 'Code');
  await service.call('POST /xmail/confirm-email', { as, body: { otp_code }, describe: points });

  await service.call('POST /xcontacts/sync', {
    as,
    body: { contacts: [{ contact_name: 'Ada', contact_phone: '+12025550190' }] },
    describe: points,
  });
  const platform = `https://www.instagram.com/member.${run}`;
  await service.call('POST /xsocial/claim', { as, body: { platform }, describe: points });
  const me = await service.call('GET /xprofiles/getme', {
    as,
    describe: (answer) => `${answer.number('profile.point_balance')} points`,
  });
  mustEqual('the points', me.number('profile.point_balance'), 250);
}
