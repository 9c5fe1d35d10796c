import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, createQueries } from './app/App.tsx';
import { createPageRouter } from './app/router.ts';
import { applyTheme } from './app/theme.ts';
import './tokens.css';

applyTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <App router={createPageRouter()} queries={createQueries()} />
  </StrictMode>,
);
