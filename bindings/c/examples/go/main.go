// Prints the steps of three days, in Go. cgo reads the header, and pkg-config finds the library.
package main

// #cgo pkg-config: vitalwire
// #include <stdlib.h>
// #include <vitalwire.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

// Copies the text, because the view is valid only as long as the object it was read from.
func text(of C.vitalwire_str) string { return C.GoStringN(of.data, C.int(of.length)) }

func main() {
	var client *C.vitalwire_client
	var days *C.vitalwire_daily_statistics
	var failure *C.vitalwire_error
	first, last := C.vitalwire_date{year: 2025, month: 11, day: 18}, C.vitalwire_date{year: 2025, month: 11, day: 20}
	steps := C.CString("steps")
	defer C.free(unsafe.Pointer(steps))
	params := C.vitalwire_statistics_daily_params_new(first, last)
	defer C.vitalwire_statistics_daily_params_free(params)
	C.vitalwire_statistics_daily_params_add_types(params, C.vitalwire_str_from(steps))
	code := C.vitalwire_client_from_env(&client, &failure)
	if code == C.VITALWIRE_OK {
		defer C.vitalwire_client_free(client)
		code = C.vitalwire_client_statistics_daily(client, params, nil, nil, &days, &failure)
	}
	if code != C.VITALWIRE_OK {
		fmt.Fprintln(os.Stderr, text(C.vitalwire_error_message(failure)))
		C.vitalwire_error_free(failure)
		os.Exit(1)
	}
	defer C.vitalwire_daily_statistics_free(days)
	for at := C.size_t(0); at < C.vitalwire_daily_statistics_statistics_count(days); at++ {
		bucket := C.vitalwire_daily_statistics_statistics_at(days, at)
		var date C.vitalwire_date
		var count C.double
		C.vitalwire_daily_bucket_date(bucket, &date)
		C.vitalwire_statistics_values_steps(C.vitalwire_daily_bucket_values(bucket), &count)
		fmt.Printf("%d-%02d-%02d %.0f steps\n", date.year, date.month, date.day, count)
	}
}
