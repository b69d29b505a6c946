export { App as Root } from './app';
