export { createLocalFetch } from './local-fetch.ts';
export {
  createRestSurface,
  type RestSurface,
  type RestSurfaceDeps,
  type RestSurfaceOptions,
} from './surface.ts';
