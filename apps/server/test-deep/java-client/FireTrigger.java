import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.api.TriggersApi;
import org.openapitools.client.model.FiredTrigger;
import org.openapitools.client.model.ListedTrigger;
import org.openapitools.client.model.Run;

/** Lists the triggers of a project, fires one, reads its run, and requests one that does not exist. */
public class FireTrigger {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setHost("127.0.0.1");
    client.setPort(Integer.parseInt(args[0]));
    client.setScheme("http");
    TriggersApi triggers = new TriggersApi(client);
    for (ListedTrigger each : triggers.listTriggers("demo").getTriggers()) {
      System.out.println(each.getName() + " " + each.getEnabled());
    }
    FiredTrigger fired = triggers.runTrigger("demo", "hourly", null);
    Run run = new RunsApi(client).findRun(fired.getRunId());
    System.out.println(run.getTrigger() + " " + run.getCause());
    try {
      triggers.readTrigger("demo", "none", null);
    } catch (ApiException refused) {
      System.out.println(refused.getCode());
    }
  }
}
