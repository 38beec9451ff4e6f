export { settings } from "../core/settings.js";
