import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './data.ts';
import { showScheme } from './prefs.ts';
import { router } from './router.tsx';
import { loadWords } from './words/say.ts';

showScheme();
const root = document.getElementById('root');
if (root)
  void loadWords().then(() =>
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
