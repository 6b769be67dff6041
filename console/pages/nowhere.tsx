import { Link } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';

export const NowherePage = () => (
  <Page title="There is no such page">
    <p>
      <Link to="/">Go to the work that waits</Link>
    </p>
  </Page>
);
