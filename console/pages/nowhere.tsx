import { Link } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const NowherePage = () => (
  <Page title="There is no such page">
    <p>
      <Link to="/">Go to the first screen</Link>
    </p>
  </Page>
);

/** An address that a role does not open. The service refuses it, too. */
export const NotYoursPage = ({ role }: { role: string }) => (
  <Page title="Not yours">
    <p>
      Your role in the team, {role}, does not include this screen. An owner of the team can change
      it.
    </p>
    <p>
      <Link to="/">Go to the first screen</Link>
    </p>
  </Page>
);
