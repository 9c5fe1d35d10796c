export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedRequest,
  type ScriptedStep,
  startScriptedModel,
} from './adapters/scripted-model.ts';
