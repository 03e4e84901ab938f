#include <iostream>
#include "vitalwire.hpp"

using namespace std::chrono_literals;

static vitalwire::owned<vitalwire::nutrition_record> upload_meal(const vitalwire::client &client) {
  const auto wait = vitalwire::wait_options().timeout(2min);
  const auto picture = vitalwire::nutrition_records_upload_params::from_file("lunch.png", true);  // without metadata
  try {
    return client.nutrition_records().upload_and_wait(picture, wait);
  } catch (const vitalwire::error &error) {
    const auto id = error.record_id();
    if (!id) throw;
    // The picture was uploaded: wait for its record again.
    return client.nutrition_records().wait_for(*id, wait);
  }
}

// Uploads the picture of a meal and a lab report, and waits until both analyses have ended.
int main() try {
  const auto client = vitalwire::client::from_env();
  const auto meal = upload_meal(client);
  const auto fields = meal.nutritional_fields();
  if (meal.status() == VITALWIRE_NUTRITION_STATUS_FAILED)
    std::cout << "the service could not analyse the picture\n";
  else if (const auto energy = fields ? fields->energy_kcal() : std::nullopt)
    std::cout << meal.dish_name().value_or("a meal") << ", " << static_cast<int>(*energy + 0.5) << " kcal\n";
  const auto document = vitalwire::lab_reports_upload_params::from_file("report.pdf", "report.pdf");
  const auto report = client.lab_reports().upload_and_wait(document);
  for (const auto section : report.sections())
    for (const auto result : section.results())
      if (const auto value = result.value()) std::cout << result.standard_test_name().value_or("a test") << ": " << *value << '\n';
} catch (const vitalwire::error &error) {
  return std::cerr << error.what() << '\n', 1;
}
